import { useMutation } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { ApiError } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { forgetAnswers } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'

const addressText = defineTexts({
  en: { show: 'Show email addresses' },
  ja: { show: 'メールアドレスを表示' },
})

/** The admin confirms who they are first. `reload` returns whether addresses are still hidden. */
export function AddressesButton({ reload }: { reload: () => Promise<boolean> }) {
  const t = useText(addressText)
  const explain = useErrorText()
  const { run, dialog } = useConfirmation()
  const load = async () => {
    forgetAnswers()
    if (await reload()) throw new ApiError(423, '')
  }
  const { mutate, isPending } = useMutation({
    mutationFn: () => run(load),
    onError: (error) => !(error instanceof CancelledError) && showToast(explain(error), { kind: 'error' }),
  })
  return (
    <>
      <Button small icon={Eye} pending={isPending} onClick={() => mutate()}>
        {t.show}
      </Button>
      {dialog}
    </>
  )
}
