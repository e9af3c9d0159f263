import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { usePageTitle } from '#web/title.ts'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import type { RollCall } from '../contract.ts'
import { AnswerPanel } from './AnswerPanel.tsx'
import { Board } from './Board.tsx'
import { useDetails } from './queries.ts'
import { rollCallText } from './text.ts'

/** Marks a drill wherever it is named. */
export const useMarkedTitle = () => {
  const t = useText(rollCallText)
  return ({ title, is_drill }: Pick<RollCall, 'title' | 'is_drill'>) =>
    is_drill ? `［${t.drill}］${title}` : title
}

export function OneRollCall({ id }: { id: number }) {
  const t = useText(rollCallText)
  const mark = useMarkedTitle()
  const { data, error, isFetching, refetch } = useDetails(id)
  usePageTitle(data ? mark(data) : null)
  return (
    <PageLayout kind="inset">
      <PageHeader title={data ? mark(data) : t.title} />
      {!data && error && <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />}
      {!data && !error && <LoadingText />}
      {data && (
        <div className="cards">
          <section className="card roll-call">
            <AnswerPanel details={data} />
          </section>
          {data.manages && <Board details={data} />}
        </div>
      )}
    </PageLayout>
  )
}
