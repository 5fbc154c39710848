exports.mayEnter = (user, admins) => admins.includes(user);
