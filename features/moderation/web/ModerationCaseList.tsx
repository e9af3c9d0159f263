import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx'
import { moderationEndpoints } from '../contract.ts'
import { moderationPageText } from './desk-text.ts'
import { ExpandableModerationCase } from './ExpandableModerationCase.tsx'
import { LoadingErrorOrMoreButton } from './LoadingErrorOrMoreButton.tsx'

/**
 * Renders the list of the moderation cases, newest first. The moderator chooses between open and closed
 * cases.
 */
export function ModerationCaseList() {
  const t = useText(moderationPageText)
  const [state, setState] = useState<'open' | 'closed'>('open')
  const query = useInfiniteQuery({
    queryKey: [moderationEndpoints.cases.path, state],
    queryFn: ({ pageParam }) => fetchListPage(moderationEndpoints.cases, { state }, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const cases = query.data?.pages.flatMap(({ rows }) => rows)
  const options = (['open', 'closed'] as const).map((value) => ({ value, label: t[value] }))
  return (
    <section className="card moderation-section">
      <h2 tabIndex={-1}>{t.queue}</h2>
      <SegmentedControl label={t.stateLabel} options={options} value={state} onChange={setState} onCard />
      {cases?.length === 0 && <p className="text-meta">{state === 'open' ? t.empty : t.emptyClosed}</p>}
      {cases?.map((row) => (
        <ExpandableModerationCase key={row.id} row={row} />
      ))}
      <LoadingErrorOrMoreButton isLoaded={cases !== undefined} showMore={t.showMore} query={query} />
    </section>
  )
}
