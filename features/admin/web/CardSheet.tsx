import { PrintSheet, useCommunityLang } from '#features/account/web/PrintSheet.tsx'
import { QrCode } from '#features/account/web/QrCode.tsx'
import type { NewCard, NewCards } from '#features/cards/contract.ts'
import * as dates from '#web/dates.ts'
import { Dot } from '#web/i18n.ts'
import { pageData } from '#web/page-data.ts'

/** Two columns of five cards fit on A4 and on Letter. */
const CARDS_ON_PAGE = 10

const cardTexts = {
  en: {
    use: (address: string) => `Scan the code, or open ${address} and type:`,
    until: 'until',
  },
  ja: {
    use: (address: string) => `QRコードを読み取るか、${address} を開いて、このコードを入力してください。`,
    until: '有効期限：',
  },
}

export function CardSheet({ created }: { created: NewCards }) {
  const pages = Array.from({ length: Math.ceil(created.cards.length / CARDS_ON_PAGE) }, (_, page) =>
    created.cards.slice(page * CARDS_ON_PAGE, (page + 1) * CARDS_ON_PAGE),
  )
  return (
    <PrintSheet>
      <div className="card-sheet">
        {pages.map((cards) => (
          <div className="card-page" key={cards[0]!.user_id}>
            {cards.map((card) => (
              <PrintedCard key={card.user_id} card={card} expires_at={created.expires_at} />
            ))}
          </div>
        ))}
      </div>
    </PrintSheet>
  )
}

function PrintedCard({
  card: { name, reading, handle, group, code, link },
  expires_at,
}: {
  card: NewCard
  expires_at: string
}) {
  const lang = useCommunityLang()
  const t = cardTexts[lang]
  const address = link.slice(0, link.indexOf('#')).replace(/^https?:\/\//, '')
  return (
    <div className="member-card" lang={lang}>
      <QrCode text={link} label="" />
      <div>
        <p>{pageData.app.name}</p>
        {reading !== null && <p className="reading">{reading}</p>}
        <h1>{name}</h1>
        <p>
          <b>@{handle}</b>
          {group !== null && (
            <>
              <Dot />
              {group}
            </>
          )}
        </p>
        <p>{t.use(address)}</p>
        <p className="code">{code}</p>
        <p>
          {t.until} {dates.printed(expires_at, lang)}
        </p>
      </div>
    </div>
  )
}
