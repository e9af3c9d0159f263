import { useMutation } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageLayout } from '#web/ui/PageLayout.tsx'
import { digestEndpoints } from '../contract.ts'
import { digestText } from './text.ts'

/** Only its button ends the digests, so that a mere visit changes nothing. */
export default function DigestUnsubscribePage() {
  const t = useText(digestText)
  const { token = '' } = useParams<{ token: string }>()
  const explain = useErrorText()
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => callEndpoint(digestEndpoints.unsubscribe, { token }),
  })
  return (
    <PageLayout kind="narrow">
      <EmptyState as="h1" title={t.unsubscribeTitle} help={isSuccess ? undefined : t.ask}>
        {error && <Notice kind="error">{explain(error)}</Notice>}
        {isSuccess ? (
          <Notice kind="success">{t.done}</Notice>
        ) : (
          <Button kind="primary" pending={isPending} onClick={() => mutate()}>
            {t.end}
          </Button>
        )}
      </EmptyState>
    </PageLayout>
  )
}
