import { useMutation } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { ApiError } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { forgetInitialEndpointResponses } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'

const addressText = defineTexts({
  en: { show: 'Show email addresses' },
  ja: { show: 'メールアドレスを表示' },
})

/**
 * Renders the button that asks the admin to confirm who they are, and then loads the list with its addresses.
 * `reload` loads the list again, and returns whether addresses are still hidden.
 */
export function ShowAddressesButton({ reload }: { reload: () => Promise<boolean> }) {
  const t = useText(addressText)
  const explain = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const load = async () => {
    forgetInitialEndpointResponses()
    if (await reload()) throw new ApiError(423, '')
  }
  const { mutate, isPending } = useMutation({
    mutationFn: () => run(load),
    onError: (error) =>
      !(error instanceof ActionCancelledError) && showToast(explain(error), { kind: 'error' }),
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
