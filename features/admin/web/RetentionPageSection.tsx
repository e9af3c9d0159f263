import { useQuery } from '@tanstack/react-query'
import { AccountPageSectionCard } from '#features/account/web/AccountPageSectionCard.tsx'
import { AccountSectionLoadError } from '#features/account/web/AccountSectionLoadError.tsx'
import { createAccountSectionQueryOptions } from '#features/account/web/section-query.ts'
import { useText } from '#web/i18n.ts'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { type RetentionDaysAndStartTimes, retentionEndpoints } from '../retention-contract.ts'
import { retentionText } from './retention-text.ts'
import { useLongDateTimeFormatter } from './useLongDateTimeFormatter.ts'

/** Renders the section of the account page where members read how long messages and pictures are kept. */
export default function RetentionPageSection() {
  const t = useText(retentionText)
  const { data, error, isFetching, refetch } = useQuery(
    createAccountSectionQueryOptions(retentionEndpoints.show),
  )
  return (
    <AccountPageSectionCard title={t.title} help={t.help} id="retention">
      {data && <Rules {...data} />}
      {!data && !error && <LoadingText />}
      {!data && error && (
        <AccountSectionLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
    </AccountPageSectionCard>
  )
}

function Rules(retention: RetentionDaysAndStartTimes) {
  const t = useText(retentionText)
  const formatTime = useLongDateTimeFormatter()
  const kinds = ['messages', 'pictures'] as const
  return (
    <>
      <ul>
        {kinds.map((kind) => {
          const { days, starts_at } = retention[kind]
          const isWaiting = starts_at !== null && Date.parse(starts_at) > Date.now()
          return (
            <li key={kind}>
              {t.rules[kind](days)} {isWaiting && t.ruleBegins(formatTime(starts_at))}
            </li>
          )
        })}
      </ul>
      {kinds.some((kind) => retention[kind].days !== null) && <p className="hint">{t.copies}</p>}
    </>
  )
}
