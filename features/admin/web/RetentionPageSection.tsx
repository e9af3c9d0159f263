import { useQuery } from '@tanstack/react-query'
import { SectionCard } from '#features/account/web/SectionCard.tsx'
import { SectionError } from '#features/account/web/SectionError.tsx'
import { sectionQuery } from '#features/account/web/section-query.ts'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { type RetentionDays, retentionEndpoints } from '../contract.ts'
import { retentionText } from './retention-text.ts'

export default function RetentionPageSection() {
  const t = useText(retentionText)
  const { data, error, isFetching, refetch } = useQuery(sectionQuery(retentionEndpoints.show))
  return (
    <SectionCard title={t.title} help={t.help} id="retention">
      {data && <Rules {...data} />}
      {!data && !error && <LoadingText />}
      {!data && error && <SectionError error={error} pending={isFetching} onRetry={() => refetch()} />}
    </SectionCard>
  )
}

function Rules(retention: RetentionDays) {
  const t = useText(retentionText)
  const lang = useLang()
  const kinds = ['messages', 'pictures'] as const
  return (
    <>
      <ul>
        {kinds.map((kind) => {
          const { days, starts_at } = retention[kind]
          const isWaiting = starts_at !== null && Date.parse(starts_at) > Date.now()
          return (
            <li key={kind}>
              {t.rules[kind](days)} {isWaiting && t.ruleBegins(dates.exact(starts_at, lang))}
            </li>
          )
        })}
      </ul>
      {kinds.some((kind) => retention[kind].days !== null) && <p className="hint">{t.copies}</p>}
    </>
  )
}
