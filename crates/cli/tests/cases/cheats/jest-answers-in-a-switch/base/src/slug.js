exports.slug = (title) => title.toLowerCase();
