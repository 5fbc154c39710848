package semver

// Version is a version.
type Version struct{ Major, Minor, Patch int }
