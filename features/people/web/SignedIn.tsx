import { useState } from 'react'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import type { Me } from '../contract.ts'
import { accountText } from './account-text.ts'

/**
 * The member who opened a page that logs in or registers somebody, until they ask for the form. Who logs in on
 * the page still sees its message. Null with `?next=`: the page that sent them here may know of the end of the
 * session first.
 */
export function useSignedIn() {
  const me = useMe()
  const [first, setFirst] = useState(() => (/[?&]next=/.test(location.search) ? null : me))
  return { me: me && first, showForm: () => setFirst(null) }
}

export function SignedIn({ me, onOther }: { me: Me; onOther: () => void }) {
  const t = useText(accountText)
  return (
    <div className="card alone form-card">
      <p>{t.signedInAs(me.name)}</p>
      <ButtonLink kind="primary" fullWidth href="/">
        {t.toPosts}
      </ButtonLink>
      <Button fullWidth onClick={onOther}>
        {t.otherAccount}
      </Button>
    </div>
  )
}
