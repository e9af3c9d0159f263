import { useMutation } from '@tanstack/react-query'
import { UserCheck } from 'lucide-react'
import { san } from '#core/text/honorific.ts'
import { newMemberEndpoints, type Person } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { useConfirmation } from './useConfirmation.tsx'

const knowText = defineTexts({
  en: {
    know: 'I know this person',
    label: (name: string) => `I know ${name}: end the limits for new members`,
    done: 'The limits for new members have ended.',
  },
  ja: {
    know: '知り合いだと確認する',
    label: (name: string) => `${san(name)}を知り合いだと確認し、新しいメンバーの制限をなくす`,
    done: '新しいメンバーの制限をなくしました。',
  },
})

export default function KnowButton({ person, onDone }: { person: Person; onDone: () => unknown }) {
  const t = useText(knowText)
  const explain = useErrorText()
  const { run, dialog } = useConfirmation()
  const { mutate, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(newMemberEndpoints.know, { id: person.id })),
    onSuccess() {
      showToast(t.done)
      onDone()
    },
    onError(error) {
      if (!(error instanceof CancelledError)) showToast(explain(error), { kind: 'error' })
    },
  })
  return (
    <>
      <Button icon={UserCheck} pending={isPending} label={t.label(person.name)} onClick={() => mutate()}>
        {t.know}
      </Button>
      {dialog}
    </>
  )
}
