/* Files of every archive of a project. */

export const projectFile = 'project.xml';
export const usersFile = 'users.xml';
export const userMapFile = 'user_map.csv';
