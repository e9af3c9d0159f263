import './people.css'
import { useMutation } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { peopleEndpoints } from '../contract.ts'
import { verifyText } from './verify-email-text.ts'

/** Nothing if the address is verified, there is none, or the server sends no mail. */
export function VerifyEmailNotice() {
  const t = useText(verifyText)
  const me = useMe()
  if (!pageData.app.mail || !me?.email || me.email_verified_at) return null
  const [before, after] = t.linkSent
  return (
    <aside className="verify-notice card alone">
      <Icon icon={Mail} />
      <p>
        {before}
        <b>{me.email}</b>
        {after}
      </p>
      <SendButton small>{t.sendAgain}</SendButton>
    </aside>
  )
}

/** Only for a server that sends mail. */
export function SendButton({ children, small }: { children: string; small?: boolean }) {
  const explain = useErrorText()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => callEndpoint(peopleEndpoints.sendVerification, {}),
  })
  if (data) return <Notice kind="success">{data.message}</Notice>
  return (
    <>
      {error && <Notice kind="error">{explain(error)}</Notice>}
      <Button small={small ?? false} fullWidth={!small} pending={isPending} onClick={() => mutate()}>
        {children}
      </Button>
    </>
  )
}
