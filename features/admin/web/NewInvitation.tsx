import { Copy, MessageSquareText, Printer, Share2 } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { QrCode } from '#features/account/web/QrCode.tsx'
import type { CreatedInvitation } from '#features/registration/contract.ts'
import { copyText } from '#web/clipboard.ts'
import { useText } from '#web/i18n.ts'
import { pageData } from '#web/page-data.ts'
import { canShare, share } from '#web/share.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { InvitationSheet } from './InvitationSheet.tsx'
import { invitationText } from './joining-text.ts'

const sheetChoices = [1, 6]

export function NewInvitation({ created, onDone }: { created: CreatedInvitation; onDone: () => void }) {
  const t = useText(invitationText)
  const title = useRef<HTMLHeadingElement>(null)
  // The form that had the focus is no longer on the page.
  useEffect(() => title.current?.focus(), [])
  return (
    <section className="card created-invitation">
      <h2 ref={title} tabIndex={-1}>
        {t.created}
      </h2>
      <InvitationLink created={created}>
        <Button kind="primary" onClick={onDone}>
          {t.done}
        </Button>
      </InvitationLink>
    </section>
  )
}

interface LinkProps {
  created: CreatedInvitation
  /** After the buttons that copy and print the invitation. */
  children?: ReactNode
}

export function InvitationLink({ created, children }: LinkProps) {
  const t = useText(invitationText)
  const perSheet = useId()
  const [count, setCount] = useState(1)
  const { link, code } = created
  const sentence = t.sentence(pageData.app.name)
  const copy = (text: string, done: string) =>
    copyText(text).then(
      () => showToast(done, { key: 'invitation' }),
      () => showToast(t.copyFailed, { key: 'invitation', kind: 'error' }),
    )
  const copyLink = () => copy(link, t.copied)
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
        {canShare && (
          <Button icon={Share2} onClick={() => void share({ text: sentence, url: link }).catch(copyLink)}>
            {t.share}
          </Button>
        )}
        <Button icon={Copy} onClick={copyLink}>
          {t.copyLink}
        </Button>
        <Button icon={MessageSquareText} onClick={() => copy(`${sentence}\n${link}`, t.messageCopied)}>
          {t.copyMessage}
        </Button>
        <Button icon={Printer} onClick={() => print()}>
          {t.print}
        </Button>
        {children}
      </div>
      <InvitationSheet created={created} count={count} />
    </>
  )
}
