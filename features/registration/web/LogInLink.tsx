import { accountText } from '#features/people/web/account-text.ts'
import { useText } from '#web/i18n.ts'
import { Link } from '#web/ui/Link.tsx'

export function LogInLink() {
  const t = useText(accountText)
  return (
    <p className="text-soft form-alternative">
      {t.alreadyMember}{' '}
      <Link className="link" href="/login">
        {t.logIn}
      </Link>
    </p>
  )
}
