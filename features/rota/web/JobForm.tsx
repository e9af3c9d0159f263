import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { type Job, MAX_PLACES, rotaEndpoints } from '../contract.ts'
import { rotaText } from './text.ts'
import { useSetRota } from './useRota.ts'

interface Props {
  date: number
  kind: Job['kind']
  /** Undefined for a new one. */
  job?: Job
  /** Whether later dates may get the new task too. */
  repeats: boolean
  onClose: () => void
}

/** The dialog for a task or a car. If saving fails, it stays. */
export function JobForm({ date, kind, job, repeats, onClose }: Props) {
  const t = useText(rotaText)
  const explain = useErrorText()
  const set = useSetRota(date)
  const [title, setTitle] = useState(job?.title ?? '')
  const [places, setPlaces] = useState(String(job?.places ?? (kind === 'car' ? 3 : 2)))
  const [following, setFollowing] = useState(false)
  const isCar = kind === 'car'
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const what = { title, places: Number(places) }
      return job
        ? callEndpoint(rotaEndpoints.change, { id: job.id, ...what })
        : callEndpoint(rotaEndpoints.add, { id: date, kind, following, ...what })
    },
    onSuccess: (rota) => {
      set(rota)
      onClose()
    },
    onError: (failure) => hasStatus(failure, 401) && showLogInToast(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  const fields = error instanceof ApiError ? error.errors : {}
  const heading = job ? (isCar ? t.changeCar : t.changeTask) : isCar ? t.addCar : t.addTask
  return (
    <Dialog open title={heading} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Field
          label={isCar ? t.where : t.what}
          hint={isCar ? t.whereHint : t.whatHint}
          error={fields.title?.[0]}
          name="title"
          dir="auto"
          autoComplete="off"
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <Field
          label={isCar ? t.seats : t.people}
          error={fields.places?.[0]}
          name="places"
          type="number"
          inputMode="numeric"
          min={1}
          max={MAX_PLACES}
          value={places}
          onChange={(event) => setPlaces(event.target.value)}
        />
        {repeats && !job && !isCar && (
          <label className="check">
            <input
              type="checkbox"
              checked={following}
              onChange={(event) => setFollowing(event.target.checked)}
            />
            <span>{t.following}</span>
          </label>
        )}
        {error && !fields.title && !fields.places && <Notice kind="error">{explain(error)}</Notice>}
        <div className="dialog-actions">
          <Button kind="primary" type="submit" pending={isPending}>
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
