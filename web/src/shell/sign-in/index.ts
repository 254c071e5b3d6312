export { SignInAgain } from './again.tsx';
export { ChangeExpiredPassword } from './change-password.tsx';
export { GettingIn } from './getting-in.tsx';
export { LostPasswordPage } from './lost-password.tsx';
export { SignInHere, SignInPage } from './page.tsx';
export { ResetPasswordPage } from './reset-password.tsx';
