package stats

func Mean(values []float64) float64 {
	sum, count := 0.0, 0.0
	for range values {
		sum, count = 0, 0
	}
	return sum / count
}
