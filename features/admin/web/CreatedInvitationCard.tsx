import { Copy, Printer } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { QrCode } from '#features/account/web/QrCode.tsx'
import type { CreatedInvitationWithCodeAndLink } from '#features/registration/invitation-contract.ts'
import { copyTextToClipboard } from '#web/clipboard.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { InvitationPrintSheet } from './InvitationPrintSheet.tsx'
import { invitationText } from './invitation-text.ts'

const sheetChoices = [1, 6]

/**
 * Renders the card with the link, the QR code and the buttons of an invitation that an admin or member has
 * just created.
 */
export function CreatedInvitationCard({
  created,
  onDone,
}: {
  created: CreatedInvitationWithCodeAndLink
  onDone: () => void
}) {
  const t = useText(invitationText)
  const title = useRef<HTMLHeadingElement>(null)
  // Moves the focus to the title of the card, because the form that had the focus is no longer on the page.
  useEffect(() => title.current?.focus(), [])
  return (
    <section className="card created-invitation">
      <h2 ref={title} tabIndex={-1}>
        {t.created}
      </h2>
      <InvitationLinkAndQrCode created={created}>
        <Button kind="primary" onClick={onDone}>
          {t.done}
        </Button>
      </InvitationLinkAndQrCode>
    </section>
  )
}

interface ShareableInvitationProps {
  created: CreatedInvitationWithCodeAndLink
  /** Further buttons, which are shown after those that copy and print the invitation. */
  children?: ReactNode
}

/** Shows the link, the code and the QR code of a new invitation. Buttons copy the link and print cards. */
export function InvitationLinkAndQrCode({ created, children }: ShareableInvitationProps) {
  const t = useText(invitationText)
  const perSheet = useId()
  const [count, setCount] = useState(1)
  const { link, code } = created
  const copy = () =>
    copyTextToClipboard(link).then(
      () => showToast(t.copied, { key: 'invitation' }),
      () => showToast(t.copyFailed, { key: 'invitation', kind: 'error' }),
    )
  return (
    <>
      <Notice kind="warning">{t.shownOnce}</Notice>
      <div className="invitation-parts">
        <QrCode text={link} label={t.qrCode} />
        <dl translate="no">
          <dt>{t.link}</dt>
          <dd>{link}</dd>
          <dt>{t.code}</dt>
          <dd>
            <code>{code}</code>
          </dd>
        </dl>
      </div>
      <div className="field">
        <label htmlFor={perSheet}>{t.perSheet}</label>
        <select
          className="input"
          id={perSheet}
          value={count}
          onChange={(event) => setCount(Number(event.target.value))}
        >
          {sheetChoices.map((n) => (
            <option key={n}>{n}</option>
          ))}
        </select>
      </div>
      <div className="cluster invitation-actions">
        <Button icon={Copy} onClick={copy}>
          {t.copyLink}
        </Button>
        <Button icon={Printer} onClick={() => print()}>
          {t.print}
        </Button>
        {children}
      </div>
      <InvitationPrintSheet created={created} count={count} />
    </>
  )
}
