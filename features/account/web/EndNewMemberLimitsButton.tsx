import { useMutation } from '@tanstack/react-query'
import { UserCheck } from 'lucide-react'
import type { Person } from '#features/people/contract.ts'
import { markMemberAsKnownToModeratorEndpoints } from '#features/people/new-member-contract.ts'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { useIdentityConfirmation } from './useIdentityConfirmation.tsx'

const knowText = defineTexts({
  en: {
    know: 'I know them',
    label: (name: string) => `I know ${name}: end the limits for new members`,
    done: 'The limits for new members have ended.',
  },
  ja: {
    know: '知っている人',
    label: (name: string) => `${name}さんは知っている人なので、新しいメンバーの制限を終える`,
    done: '新しいメンバーの制限を終えました。',
  },
})

/** Renders the button with which moderators and admins end the limits for one new member. */
export default function EndNewMemberLimitsButton({
  person,
  onDone,
}: {
  person: Person
  onDone: () => unknown
}) {
  const t = useText(knowText)
  const explain = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const { mutate, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(markMemberAsKnownToModeratorEndpoints.know, { id: person.id })),
    onSuccess() {
      showToast(t.done)
      onDone()
    },
    onError(error) {
      if (!(error instanceof ActionCancelledError)) showToast(explain(error), { kind: 'error' })
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
