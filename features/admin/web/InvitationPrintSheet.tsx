import { PrintSheet } from '#features/account/web/PrintSheet.tsx'
import { QrCode } from '#features/account/web/QrCode.tsx'
import type { CreatedInvitationWithCodeAndLink } from '#features/registration/invitation-contract.ts'
import { initialPageData } from '#web/page-data.ts'

/**
 * The texts that are printed on an invitation card. A card has them in both languages, because the person who
 * gets it may read either.
 */
const cardTexts = {
  en: {
    title: (name: string) => `Join ${name}`,
    use: (address: string) => `Scan the code with a phone, or open ${address} and type the code.`,
    until: 'Valid until',
  },
  ja: {
    title: (name: string) => `${name}への招待`,
    use: (address: string) =>
      `スマートフォンでQRコードを読み取るか、${address} を開いてコードを入力してください。`,
    until: '有効期限',
  },
}
const languages = ['en', 'ja'] as const

interface SheetProps {
  created: CreatedInvitationWithCodeAndLink
  /** The number of equal invitation cards that are printed. */
  count: number
}

/** Renders the sheet that is printed: cards with the QR code, the address and the code of an invitation. */
export const InvitationPrintSheet = ({ created, count }: SheetProps) => (
  <PrintSheet>
    <div className="invitation-sheet" data-count={count}>
      {Array.from({ length: count }, (_, index) => index + 1).map((number) => (
        <InvitationCard key={number} created={created} />
      ))}
    </div>
  </PrintSheet>
)

function InvitationCard({
  created: { code, link, invitation },
}: {
  created: CreatedInvitationWithCodeAndLink
}) {
  const { name } = initialPageData.app
  const address = link.slice(0, link.indexOf('#')).replace(/^https?:\/\//, '')
  const expires = new Date(invitation.expires_at)
  return (
    <div className="invitation-card">
      {languages.map((lang) => (
        <h1 key={lang} lang={lang}>
          {cardTexts[lang].title(name)}
        </h1>
      ))}
      <QrCode text={link} label="" />
      <p className="code">{code}</p>
      {languages.map((lang) => (
        <p key={lang} lang={lang}>
          {cardTexts[lang].use(address)} {cardTexts[lang].until}{' '}
          {expires.toLocaleDateString(lang === 'en' ? 'en-GB' : lang, { dateStyle: 'long' })}
        </p>
      ))}
    </div>
  )
}
