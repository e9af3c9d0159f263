import { PrintSheet, useCommunityLang } from '#features/account/web/PrintSheet.tsx'
import { QrCode } from '#features/account/web/QrCode.tsx'
import type { CreatedInvitation } from '#features/registration/contract.ts'
import * as dates from '#web/dates.ts'
import { pageData } from '#web/page-data.ts'

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
    until: '有効期限：',
  },
}

interface Props {
  created: CreatedInvitation
  count: number
}

export const InvitationSheet = ({ created, count }: Props) => (
  <PrintSheet>
    <div className="invitation-sheet" data-count={count}>
      {Array.from({ length: count }, (_, index) => index + 1).map((number) => (
        <InvitationCard key={number} created={created} />
      ))}
    </div>
  </PrintSheet>
)

function InvitationCard({ created: { code, link, invitation } }: { created: CreatedInvitation }) {
  const { name } = pageData.app
  const lang = useCommunityLang()
  const t = cardTexts[lang]
  const address = link.slice(0, link.indexOf('#')).replace(/^https?:\/\//, '')
  return (
    <div className="invitation-card" lang={lang}>
      <h1>{t.title(name)}</h1>
      <QrCode text={link} label="" />
      <p className="code">{code}</p>
      <p>
        {t.use(address)} {t.until} {dates.printed(invitation.expires_at, lang)}
      </p>
    </div>
  )
}
