def may_enter(user, admins):
    return user in admins
