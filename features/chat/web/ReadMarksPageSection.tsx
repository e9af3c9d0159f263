import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { AccountPageSectionCard } from '#features/account/web/AccountPageSectionCard.tsx'
import { AccountSectionLoadError } from '#features/account/web/AccountSectionLoadError.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { readMarkEndpoints } from '../read-mark-contract.ts'
import { readMarksText } from './read-marks-text.ts'

const ID = 'read-marks'
const queryKey = [readMarkEndpoints.sharing.path]

/**
 * Renders the section of the account page with the switch that lets others see what the member has read. A
 * change is saved at once.
 */
export default function ReadMarksPageSection() {
  const t = useText(readMarksText)
  const explain = useErrorFormatter()
  const client = useQueryClient()
  // The choice that is being saved. The query cache tells React of changes a moment later, and until then React
  // would set the checkbox back.
  const [chosen, setChosen] = useState<boolean | null>(null)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: () => callEndpoint(readMarkEndpoints.sharing, {}),
  })
  const { mutate } = useMutation({
    // Sends the requests one after the other, so that the server stores the last choice of the member.
    scope: { id: ID },
    mutationFn: (is_shared: boolean) => callEndpoint(readMarkEndpoints.setSharing, { is_shared }),
    onSuccess: (answer) => {
      client.setQueryData(queryKey, answer)
      showToast(answer.is_shared ? t.shown : t.hidden, { key: ID })
    },
    onError: (failure) => {
      showToast(explain(failure), { kind: 'error' })
      void client.invalidateQueries({ queryKey })
    },
    onSettled: (_answer, _failure, sent) => setChosen((latest) => (latest === sent ? null : latest)),
  })
  const isLoaded = data !== undefined
  useEffect(() => {
    if (isLoaded && location.hash === `#${ID}`)
      document.getElementById(ID)?.scrollIntoView({ block: 'center' })
  }, [isLoaded])
  const change = (is_shared: boolean) => {
    setChosen(is_shared)
    client.setQueryData(queryKey, { is_shared })
    mutate(is_shared)
  }
  return (
    <AccountPageSectionCard id={ID} title={t.sectionTitle} help={t.sectionHelp}>
      {!data && !error && <LoadingText />}
      {!data && error && (
        <AccountSectionLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
      {data && (
        <label className="check">
          <input
            type="checkbox"
            checked={chosen ?? data.is_shared}
            onChange={(event) => change(event.target.checked)}
          />
          {t.label}
        </label>
      )}
    </AccountPageSectionCard>
  )
}
