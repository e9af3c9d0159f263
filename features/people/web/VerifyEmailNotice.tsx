import './people.css'
import { useMutation } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { type Me, peopleEndpoints } from '../contract.ts'
import { peopleText } from './text.ts'

/**
 * Renders a notice that reminds a member to verify the e-mail address. Renders nothing if the address is
 * verified, or if there is none.
 */
export function VerifyEmailNotice() {
  const t = useText(peopleText)
  const me = useMe()
  if (!me?.email || me.email_verified_at) return null
  return (
    <aside className="verify-notice card alone">
      <Icon icon={Mail} />
      <p>
        <WhereToFindVerificationLinkSentence me={me} />
      </p>
      <ResendVerificationMailButton me={me} small>
        {t.sendAgain}
      </ResendVerificationMailButton>
    </aside>
  )
}

/**
 * Renders a sentence that says where the member finds the e-mail verification link: in a mail, or with an
 * admin if the server sends no mail.
 */
export function WhereToFindVerificationLinkSentence({ me }: { me: Me }) {
  const t = useText(peopleText)
  const words = initialPageData.app.mail ? t.linkSent : me.is_admin ? t.noMailServerAdmin : t.noMailServer
  const [before, email, after] = words(me.email ?? '')
  return (
    <>
      {before}
      <b>{email}</b>
      {after}
    </>
  )
}

/**
 * Renders a button that sends the verification mail again. If the server sends no mail, renders a link to the
 * user list for admins, and nothing for other members.
 */
export function ResendVerificationMailButton({
  me,
  children,
  small,
}: {
  me: Me
  children: string
  small?: boolean
}) {
  const t = useText(peopleText)
  if (initialPageData.app.mail) return <ResendMailButton small={small}>{children}</ResendMailButton>
  return (
    me.is_admin && (
      <ButtonLink small={small} fullWidth={!small} href="/admin/users">
        {t.userList}
      </ButtonLink>
    )
  )
}

/** Renders a button that sends the verification mail again, and shows the result of the request. */
function ResendMailButton({ children, small }: { children: string; small: boolean | undefined }) {
  const explain = useErrorFormatter()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => callEndpoint(peopleEndpoints.sendVerification, {}),
  })
  if (data) return <Notice kind="success">{data.message}</Notice>
  return (
    <>
      {error && <Notice kind="error">{explain(error)}</Notice>}
      <Button small={small} fullWidth={!small} pending={isPending} onClick={() => mutate()}>
        {children}
      </Button>
    </>
  )
}
