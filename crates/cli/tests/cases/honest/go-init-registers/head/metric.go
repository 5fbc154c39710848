package units

func init() {
	factors["m"] = 1
	factors["km"] = 1000
}
