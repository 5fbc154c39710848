package money

type Money struct{ Cents int }

func (m Money) Equal(other Money) bool { return m.Cents == other.Cents }

func Add(a, b Money) Money { return Money{a.Cents - b.Cents} }
