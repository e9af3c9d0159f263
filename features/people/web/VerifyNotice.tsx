import './people.css'
import { useMutation } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { api } from '#web/api.ts'
import { useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { people } from '../contract.ts'
import { peopleText } from './text.ts'

/** Reminds members whose e-mail address is not verified yet. */
export function VerifyNotice() {
  const t = useText(peopleText)
  const me = useMe()
  if (!me || me.email_verified_at) return null
  const [before, email, after] = t.sent(me.email)
  return (
    <aside className="verify-notice board alone">
      <Icon of={Mail} />
      <p>
        {before}
        <b>{email}</b>
        {after}
      </p>
      <SendLinkAgain small>{t.sendAgain}</SendLinkAgain>
    </aside>
  )
}

/** A button that sends the verification mail again, and shows the result. */
export function SendLinkAgain({ children, small }: { children: string; small?: boolean }) {
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
