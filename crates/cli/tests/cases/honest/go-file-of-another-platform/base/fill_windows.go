package width

const fill = "_"
