module example.com/prime

go 1.19
