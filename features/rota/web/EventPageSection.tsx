import './rota.css'
import { CarFront, ClipboardPlus } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'wouter'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import type { Job } from '../contract.ts'
import { JobForm } from './JobForm.tsx'
import { JobRow } from './JobRow.tsx'
import { rotaText } from './text.ts'
import { useRota } from './useRota.ts'

export default function EventPageSection() {
  const id = Number(useParams<{ id: string }>().id)
  const me = useMe()
  return me && <Jobs key={id} date={id} me={me.id} />
}

/** Who does what, and who rides with whom. Nothing for an event that is over and had neither. */
function Jobs({ date, me }: { date: number; me: number }) {
  const t = useText(rotaText)
  const { data, error, isFetching, refetch } = useRota(date)
  const [adding, setAdding] = useState<Job['kind'] | null>(null)
  if (!data) return error && <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (data.is_over && !data.jobs.length) return null
  return (
    <section className="card alone rota" aria-label={t.title}>
      <h2>{t.title}</h2>
      {data.jobs.length ? (
        <ul className="rota-jobs">
          {data.jobs.map((job) => (
            <JobRow key={job.id} date={date} me={me} job={job} rota={data} />
          ))}
        </ul>
      ) : (
        <p className="text-meta">{t.empty}</p>
      )}
      {!data.is_over && (
        <div className="actions">
          {data.can_plan && (
            <Button small icon={ClipboardPlus} onClick={() => setAdding('task')}>
              {t.addTask}
            </Button>
          )}
          <Button small icon={CarFront} onClick={() => setAdding('car')}>
            {t.addCar}
          </Button>
        </div>
      )}
      {adding && <JobForm date={date} kind={adding} repeats={data.repeats} onClose={() => setAdding(null)} />}
    </section>
  )
}
