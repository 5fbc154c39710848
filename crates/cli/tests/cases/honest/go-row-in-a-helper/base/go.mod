module example.com/title

go 1.19
