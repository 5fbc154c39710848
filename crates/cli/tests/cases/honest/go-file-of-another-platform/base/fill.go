//go:build !windows

package width

const fill = " "
