import { Link } from 'wouter'
import { signUpLogInAndProfileText } from '#features/people/web/account-text.ts'
import { useText } from '#web/i18n.ts'

/** The line below a form of a person who is not logged in: it leads members to the log-in. */
export function AlreadyMember() {
  const t = useText(signUpLogInAndProfileText)
  return (
    <p className="text-soft form-alternative">
      {t.alreadyMember}{' '}
      <Link className="link" href="/login">
        {t.logIn}
      </Link>
    </p>
  )
}
