import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { initialPageData } from '#web/page-data.ts'
import { applyAccentColourStyleSheet } from '#web/settings.ts'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { footerLinksToSamplePages, samplePageLinksShownStore } from '#web/web-modules.ts'
import { adminEndpoints } from '../contract.ts'
import { adminText } from './text.ts'

/** The React Query key under which the settings of the community are cached. */
export const adminCommunitySettingsQueryKey = [adminEndpoints.settings.path]

/**
 * Returns three things: the value of a setting that the page shows, a function that changes it, and the
 * dialog in which the admin confirms their identity. A change is saved at once, and undone if that fails or
 * is cancelled.
 */
export function useCommunitySetting<Value>(name: string, saved: Value) {
  const t = useText(adminText)
  const explain = useErrorFormatter()
  const client = useQueryClient()
  const { run, dialog } = useIdentityConfirmation()
  const [shown, setShown] = useState(saved)
  const { mutate } = useMutation({
    // The requests that save one setting run one after the other, so that the server stores the last choice.
    scope: { id: `setting ${name}` },
    mutationFn: (value: Value) => run(() => callEndpoint(adminEndpoints.saveSettings, { [name]: value })),
    onSuccess(state) {
      client.setQueryData(adminCommunitySettingsQueryKey, state)
      samplePageLinksShownStore.set(state.settings.show_samples)
      // Reloads the page when the sample pages are switched on, because the page was loaded without their
      // code.
      if (name === 'show_samples' && state.settings.show_samples && !footerLinksToSamplePages.length)
        return location.reload()
      applyAccentColourStyleSheet(state.settings.accent_colour)
      initialPageData.app.name = state.settings.community_name
      initialPageData.app.membersInvite = state.settings.who_can_invite === 'members'
      initialPageData.app.membersCreateGroups = state.settings.who_can_create_groups === 'members'
      initialPageData.app.linkPreviews = state.settings.link_previews
      initialPageData.app.membersOnly = state.settings.who_can_read === 'members'
      showToast(t.settingsSaved)
    },
    onError(error) {
      setShown(saved)
      if (!(error instanceof ActionCancelledError)) showToast(explain(error), { kind: 'error' })
    },
  })
  const change = (next: Value) => {
    setShown(next)
    mutate(next)
  }
  return [shown, change, dialog] as const
}
