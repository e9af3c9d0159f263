import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { SectionError } from '#features/account/web/SectionError.tsx'
import { ApiError, callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type OwnPhone, phoneEndpoints } from '../contract.ts'
import { phoneText } from './phone-text.ts'

const queryKey = [phoneEndpoints.own.path]
const audiences = ['everyone', 'owners', 'nobody'] as const

export default function Phone() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: () => callEndpoint(phoneEndpoints.own, {}),
  })
  if (data) return <PhoneForm phone={data} />
  return error ? (
    <SectionError error={error} pending={isFetching} onRetry={() => refetch()} />
  ) : (
    <LoadingText />
  )
}

function PhoneForm({ phone }: { phone: OwnPhone }) {
  const t = useText(phoneText)
  const client = useQueryClient()
  const explain = useErrorText()
  const [shownTo, setShownTo] = useState(phone.shown_to)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (number: string) => callEndpoint(phoneEndpoints.save, { number, shown_to: shownTo }),
    onSuccess: (saved) => {
      client.setQueryData(queryKey, saved)
      showToast(t.saved, { key: 'phone' })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(String(new FormData(event.currentTarget).get('number')))
  }
  const message = error && ((error instanceof ApiError && error.errors.number?.[0]) || explain(error))
  return (
    <form className="form" onSubmit={submit}>
      <Field
        label={t.number}
        name="number"
        type="tel"
        autoComplete="tel"
        maxLength={40}
        defaultValue={phone.number ?? ''}
        error={message || undefined}
      />
      <RadioGroup
        label={t.shownTo}
        choices={audiences.map((value) => ({ value, label: t[value] }))}
        inputProps={(value) => ({ checked: value === shownTo, onChange: () => setShownTo(value) })}
      />
      <div className="form-actions">
        <Button type="submit" pending={isPending}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
