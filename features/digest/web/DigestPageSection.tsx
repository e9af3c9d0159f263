import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type DigestFrequency, type DigestSettings, digestEndpoints } from '../contract.ts'
import { digestText } from './text.ts'

const queryKey = [digestEndpoints.settings.path]
const frequencies = ['never', 'weekly', 'daily'] as const

export default function DigestPageSection() {
  const t = useText(digestText)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: () => callEndpoint(digestEndpoints.settings, {}),
  })
  return (
    <section className="card">
      <h2>{t.title}</h2>
      <p className="text-soft">{t.help}</p>
      {data ? (
        <Frequencies settings={data} />
      ) : error ? (
        <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} plain />
      ) : (
        <LoadingText />
      )}
    </section>
  )
}

function Frequencies({ settings: { frequency, has_verified_email } }: { settings: DigestSettings }) {
  const t = useText(digestText)
  const client = useQueryClient()
  const explain = useErrorText()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (chosen: DigestFrequency) => callEndpoint(digestEndpoints.save, { frequency: chosen }),
    onSuccess: (settings) => {
      client.setQueryData(queryKey, settings)
      showToast(t.saved, { key: 'digest' })
    },
    onError: (error) => showToast(explain(error), { kind: 'error' }),
  })
  const shown = isPending ? variables : frequency
  if (!has_verified_email)
    return (
      <>
        <Notice kind="warning">{t.noEmail}</Notice>
        <ButtonLink href="/account">{t.toAccount}</ButtonLink>
      </>
    )
  return (
    <RadioGroup
      label={t.frequency}
      choices={frequencies.map((value) => ({ value, label: t[value] }))}
      inputProps={(value) => ({ checked: value === shown, onChange: () => mutate(value) })}
    />
  )
}
