import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { hasStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import type { Overview as Answer } from '../contract.ts'
import { type Asked, type Form, isGroup, pathOf } from './asked.ts'
import { Hits } from './Hits.tsx'
import { NoHits } from './NoHits.tsx'
import { searchText } from './text.ts'
import { useOverview } from './useOverview.ts'

/** An unfinished operator takes no results away. */
function useLast<T>(current: T | undefined) {
  const [last, setLast] = useState(current)
  if (current !== undefined && current !== last) setLast(current)
  return current ?? last
}

interface Props {
  form: Form
  /** The id of the sentence that says what is missing. */
  hint: string
  onOpen: () => void
}

export function Overview({ form, hint, onOpen }: Props) {
  const t = useText(searchText)
  const { asked } = form
  const { data: current, error, isPlaceholderData, isFetching, refetch } = useOverview(asked)
  const data = useLast(current)
  const isUnclear = hasStatus(error, 422)
  if (error && !isUnclear)
    return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  return (
    <>
      <p className="text-meta phone-padding search-hint" id={hint} role="status">
        {isUnclear ? (error as Error).message : !data || isPlaceholderData ? '' : <Said data={data} />}
      </p>
      {!data && !isUnclear && <RowSkeletons count={8} />}
      {data && (
        <div className="search-results" aria-busy={isPlaceholderData || form.isEarly}>
          {data.sections.map((section) => (
            <Section key={section.kind} section={section} asked={asked} onOpen={onOpen} />
          ))}
          {!data.sections.length && !isUnclear && !isPlaceholderData && <NoHits form={form} answer={data} />}
          {data.indexed < 1 && (
            <p className="text-meta phone-padding">{t.indexed(Math.floor(data.indexed * 100))}</p>
          )}
        </div>
      )}
    </>
  )
}

function Said({ data: { sections } }: { data: Answer }) {
  const t = useText(searchText)
  const count = sections.reduce((sum, { hits }) => sum + hits.length, 0)
  return (
    <span className="visually-hidden">
      {t.found(
        count,
        sections.some(({ has_more }) => has_more),
      )}
    </span>
  )
}

interface SectionProps {
  section: Answer['sections'][number]
  asked: Asked
  onOpen: () => void
}
function Section({ section: { kind, hits, has_more }, asked, onOpen }: SectionProps) {
  const t = useText(searchText)
  return (
    <section className="search-section" aria-labelledby={`found-${kind}`}>
      <header>
        <h2 id={`found-${kind}`}>{t.kinds[kind]}</h2>
        {has_more && (
          <Link
            className="button ghost small"
            href={pathOf({ ...asked, kind })}
            aria-label={t.showAllOf(t.kinds[kind])}
            onClick={onOpen}
          >
            {t.showAll}
            <Icon icon={ArrowRight} size="s" />
          </Link>
        )}
      </header>
      <Hits hits={hits} inGroup={isGroup(asked)} onOpen={onOpen} />
    </section>
  )
}
