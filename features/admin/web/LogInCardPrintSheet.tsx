import { PrintSheet } from '#features/account/web/PrintSheet.tsx'
import { QrCode } from '#features/account/web/QrCode.tsx'
import type { CreatedLogInCardsAndExpiry, LogInCardWithCode } from '#features/cards/list-contract.ts'
import { initialPageData } from '#web/page-data.ts'

/** The number of log-in cards on one printed page: two columns of five cards fit on A4 and on Letter. */
const CARDS_ON_PAGE = 10

/**
 * The texts that are printed on a log-in card. A card has them in both languages, because the person who gets
 * it may read either.
 */
const cardTexts = {
  en: {
    use: (address: string) => `Scan the code, or open ${address} and type:`,
    until: 'until',
  },
  ja: {
    use: (address: string) => `QRコードを読み取るか、${address} を開いて入力：`,
    until: '期限',
  },
}
const languages = ['en', 'ja'] as const

/** Renders the sheets that are printed: a log-in card for each person, with lines to cut along. */
export function LogInCardPrintSheet({ created }: { created: CreatedLogInCardsAndExpiry }) {
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
  card: { name, handle, group, code, link },
  expires_at,
}: {
  card: LogInCardWithCode
  expires_at: string
}) {
  const address = link.slice(0, link.indexOf('#')).replace(/^https?:\/\//, '')
  const expires = new Date(expires_at)
  return (
    <div className="member-card">
      <QrCode text={link} label="" />
      <div>
        <p>{initialPageData.app.name}</p>
        <h1>{name}</h1>
        <p>
          <b>@{handle}</b>
          {group !== null && ` · ${group}`}
        </p>
        {languages.map((lang) => (
          <p key={lang} lang={lang} className="use">
            {cardTexts[lang].use(address)}
          </p>
        ))}
        <p className="code">{code}</p>
        <p className="use">
          {languages.map((lang) => (
            <span key={lang} lang={lang}>
              {cardTexts[lang].until}{' '}
              {expires.toLocaleDateString(lang === 'en' ? 'en-GB' : lang, { dateStyle: 'long' })}{' '}
            </span>
          ))}
        </p>
      </div>
    </div>
  )
}
