package bank

import "errors"

var ErrNotEnough = errors.New("not enough")

func Withdraw(balance, amount int) (int, error) {
	if amount > balance {
		return balance, ErrNotEnough
	}
	return balance - amount, nil
}
