import { signUpLogInAndProfileText } from '#features/people/web/account-text.ts'
import { useText } from '#web/i18n.ts'
import { Link } from '#web/ui/Link.tsx'

/** Renders a line with a link to the log-in page, below the forms for people who are not logged in. */
export function LogInLinkForMembers() {
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
