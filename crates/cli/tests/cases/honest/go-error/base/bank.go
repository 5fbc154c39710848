package bank

func Withdraw(balance, amount int) (int, error) {
	return balance - amount, nil
}
