import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmationCancelled, useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { initialPageData } from '#web/page-data.ts'
import { showToast } from '#web/ui/Toasts.tsx'
import { samplePageLinksShownStore } from '#web/web-modules.ts'
import { adminEndpoints } from '../contract.ts'
import { adminText } from './text.ts'

/** The key of the query for the settings. */
export const settingsQueryKey = [adminEndpoints.settings.path]

/**
 * Returns the value of a setting that the page shows, a function that changes it, and the dialog that
 * confirms who the admin is. A change is saved at once, and undone if that fails or is cancelled.
 */
export function useSetting<Value>(name: string, saved: Value) {
  const t = useText(adminText)
  const explain = useErrorFormatter()
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  const [shown, setShown] = useState(saved)
  const { mutate } = useMutation({
    // One save at a time, so that the last choice is also the stored one.
    scope: { id: `setting ${name}` },
    mutationFn: (value: Value) => run(() => callEndpoint(adminEndpoints.saveSettings, { [name]: value })),
    onSuccess(state) {
      client.setQueryData(settingsQueryKey, state)
      samplePageLinksShownStore.set(state.settings.show_samples)
      initialPageData.app.membersOnly = state.settings.who_can_read === 'members'
      showToast(t.settingsSaved)
    },
    onError(error) {
      setShown(saved)
      if (!(error instanceof ConfirmationCancelled)) showToast(explain(error), { kind: 'error' })
    },
  })
  const change = (next: Value) => {
    setShown(next)
    mutate(next)
  }
  return [shown, change, dialog] as const
}
