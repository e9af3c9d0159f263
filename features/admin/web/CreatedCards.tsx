import { Printer } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { QrCode } from '#features/account/web/QrCode.tsx'
import type { NewCards } from '#features/cards/contract.ts'
import { Dot, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { ShortDate } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { CardSheet } from './CardSheet.tsx'
import { importText } from './member-list-text.ts'

/** A single card has its QR code. */
export function CreatedCards({ created, onDone }: { created: NewCards; onDone: () => void }) {
  const t = useText(importText)
  const { cards, expires_at } = created
  const title = useRef<HTMLHeadingElement>(null)
  // The button that had the focus is no longer on the page.
  useEffect(() => title.current?.focus(), [])
  return (
    <section className="card created-cards">
      <h2 ref={title} tabIndex={-1}>
        {t.created}
      </h2>
      {cards.length ? <Notice kind="warning">{t.shownOnce}</Notice> : <p>{t.nobodyLeft}</p>}
      {cards.length === 1 && <QrCode text={cards[0]!.link} label={t.qrCode(cards[0]!.name)} />}
      {cards.length > 0 && (
        <>
          <p className="text-meta">
            {t.people(cards.length)}
            <Dot />
            {t.until}
            <ShortDate at={expires_at} />
          </p>
          <CardCodes cards={cards} />
        </>
      )}
      <div className="cluster invitation-actions">
        {cards.length > 0 && (
          <Button kind="primary" icon={Printer} onClick={() => print()}>
            {t.print}
          </Button>
        )}
        <Button onClick={onDone}>{t.done}</Button>
      </div>
      {cards.length > 0 && <CardSheet created={created} />}
    </section>
  )
}

/** For admins without a printer, who tell the members their codes. */
const CardCodes = ({ cards }: Pick<NewCards, 'cards'>) => (
  <ul className="invitation-list">
    {cards.map(({ user_id, name, reading, handle, code }) => (
      <li key={user_id}>
        <span className="text">
          <UserText>{name}</UserText>
          {reading && (
            <UserText className="text-meta" aria-hidden>
              {reading}
            </UserText>
          )}
          <span className="text-meta" translate="no">
            @{handle}
          </span>
        </span>
        <code translate="no">{code}</code>
      </li>
    ))}
  </ul>
)
