import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { SectionCard } from '#features/account/web/SectionCard.tsx'
import { SectionError } from '#features/account/web/SectionError.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type ReadMarkSharing, readMarkEndpoints } from '../contract.ts'
import { readMarksText } from './read-marks-text.ts'

const ID = 'read-marks'
const queryKey = [readMarkEndpoints.sharing.path]

/** A change is saved at once. */
export default function ReadMarksPageSection() {
  const t = useText(readMarksText)
  const explain = useErrorText()
  const client = useQueryClient()
  // The last choice while it is being saved; the query cache meanwhile gets the answers to earlier choices.
  const [chosen, setChosen] = useState<ReadMarkSharing | null>(null)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: () => callEndpoint(readMarkEndpoints.sharing, {}),
  })
  const { mutate } = useMutation({
    // One request after the other, so that the server stores the last choice.
    scope: { id: ID },
    mutationFn: (choice: ReadMarkSharing) => callEndpoint(readMarkEndpoints.setSharing, choice),
    onSuccess: (answer) => {
      client.setQueryData(queryKey, answer)
      showToast(answer.is_shared ? t.shown : t.hidden, { key: ID })
    },
    onError: (failure) => {
      showToast(explain(failure), { kind: 'error' })
      void client.invalidateQueries({ queryKey })
    },
    onSettled: (_answer, _failure, sent) => setChosen((last) => (last === sent ? null : last)),
  })
  const isLoaded = data !== undefined
  useEffect(() => {
    if (isLoaded && location.hash === `#${ID}`)
      document.getElementById(ID)?.scrollIntoView({ block: 'center' })
  }, [isLoaded])
  const change = (choice: ReadMarkSharing) => {
    setChosen(choice)
    // Also shown if the member leaves the page and returns before the answer.
    client.setQueryData(queryKey, choice)
    mutate(choice)
  }
  return (
    <SectionCard id={ID} title={t.sectionTitle} help={t.sectionHelp}>
      {!data && !error && <LoadingText />}
      {!data && error && <SectionError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {data && (
        <label className="check">
          <input
            type="checkbox"
            checked={(chosen ?? data).is_shared}
            onChange={(event) => change({ is_shared: event.target.checked })}
          />
          {t.label}
        </label>
      )}
    </SectionCard>
  )
}
