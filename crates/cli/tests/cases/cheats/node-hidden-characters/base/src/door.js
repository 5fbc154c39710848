export const mayEnter = (user, admins) => admins.includes(user);
