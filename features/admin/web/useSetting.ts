import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { pageData } from '#web/page-data.ts'
import { applyAccent } from '#web/settings.ts'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { sampleLinks, samplesShown } from '#web/web-modules.ts'
import { adminEndpoints } from '../contract.ts'
import { adminText } from './text.ts'

export const settingsKey = [adminEndpoints.settings.path]

/**
 * Returns the value, a function that changes it, and the dialog that confirms the admin's identity. A change
 * is saved at once, and undone if that fails or is cancelled.
 */
export function useSetting<Value>(name: string, saved: Value) {
  const t = useText(adminText)
  const explain = useErrorText()
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  const [shown, setShown] = useState(saved)
  const { mutate } = useMutation({
    // One after the other, so that the server stores the last choice.
    scope: { id: `setting ${name}` },
    mutationFn: (value: Value) => run(() => callEndpoint(adminEndpoints.saveSettings, { [name]: value })),
    onSuccess(state) {
      client.setQueryData(settingsKey, state)
      samplesShown.set(state.settings.show_samples)
      // The page was loaded without the code of the sample pages.
      if (name === 'show_samples' && state.settings.show_samples && !sampleLinks.length)
        return location.reload()
      applyAccent(state.settings.accent_colour)
      pageData.app.name = state.settings.community_name
      pageData.app.lang = state.settings.default_language ?? undefined
      pageData.app.membersInvite = state.settings.who_can_invite === 'members'
      pageData.app.membersCreateGroups = state.settings.who_can_create_groups === 'members'
      pageData.app.linkPreviews = state.settings.link_previews
      pageData.app.membersOnly = state.settings.who_can_read === 'members'
      showToast(t.settingsSaved)
    },
    onError(error) {
      setShown(saved)
      if (!(error instanceof CancelledError)) showToast(explain(error), { kind: 'error' })
    },
  })
  const change = (next: Value) => {
    setShown(next)
    mutate(next)
  }
  return [shown, change, dialog] as const
}
