import './people.css'
import { useMutation } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { api } from '#web/api.ts'
import { useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { type Me, people } from '../contract.ts'
import { peopleText } from './text.ts'

/** Reminds members whose e-mail address is not verified yet. */
export function VerifyNotice() {
  const t = useText(peopleText)
  const me = useMe()
  if (!me || me.email_verified_at) return null
  return (
    <aside className="verify-notice board alone">
      <Icon of={Mail} />
      <p>
        <HowToVerify me={me} />
      </p>
      <GetLink me={me} small>
        {t.sendAgain}
      </GetLink>
    </aside>
  )
}

/**
 * Says where the link is that verifies the address: in a mail, or with the admins of a server without mail.
 */
export function HowToVerify({ me }: { me: Me }) {
  const t = useText(peopleText)
  const words = pageData.app.mail ? t.sent : me.is_admin ? t.notMailedAdmin : t.notMailed
  const [before, email, after] = words(me.email)
  return (
    <>
      {before}
      <b>{email}</b>
      {after}
    </>
  )
}

/**
 * The button that leads to the link: it sends a mail, or opens the users for an admin of a server without
 * mail.
 */
export function GetLink({ me, children, small }: { me: Me; children: string; small?: boolean }) {
  const t = useText(peopleText)
  if (pageData.app.mail) return <SendLinkAgain small={small}>{children}</SendLinkAgain>
  return (
    me.is_admin && (
      <ButtonLink small={small} full={!small} href="/admin/users">
        {t.userList}
      </ButtonLink>
    )
  )
}

/** A button that sends the verification mail again, and shows the result. */
function SendLinkAgain({ children, small }: { children: string; small: boolean | undefined }) {
  const explain = useExplain()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => api(people.sendVerification, {}),
  })
  if (data) return <Notice kind="good">{data.message}</Notice>
  return (
    <>
      {error && <Notice kind="bad">{explain(error)}</Notice>}
      <Button small={small} full={!small} pending={isPending} onClick={() => mutate()}>
        {children}
      </Button>
    </>
  )
}
