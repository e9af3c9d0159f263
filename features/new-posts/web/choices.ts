import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { fillChannel } from '#core/contract.ts'
import { chatChannels } from '#features/conversations/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useMe } from '#web/me.ts'
import { findAnswer, pageData } from '#web/page-data.ts'
import * as realtime from '#web/realtime.ts'
import { showToast } from '#web/ui/Toasts.tsx'
import { CHANGED_EVENT, type Choices, newPostEndpoints } from '../contract.ts'

const queryKey = [newPostEndpoints.get.path]

/** Follows changes in other windows. Without the feature `conversations`, their channel does not exist. */
export function useChoices() {
  const me = useMe()
  const client = useQueryClient()
  const reload = () => void client.invalidateQueries({ queryKey })
  const hasChannel = me !== null && pageData.app.features.includes('conversations')
  realtime.useListener(hasChannel ? fillChannel(chatChannels.member, { user: me.id }) : null, {
    events: { [CHANGED_EVENT]: reload },
  })
  return useQuery({
    queryKey,
    queryFn: () => callEndpoint(newPostEndpoints.get, {}),
    initialData: () => findAnswer(newPostEndpoints.get)?.body as Choices | undefined,
    enabled: me !== null,
  })
}

/** One after the other, so that the last answer contains all changes. */
export function useChange<Change>(
  call: (change: Change) => Promise<Choices>,
  saved: (change: Change) => string,
) {
  const client = useQueryClient()
  const explain = useErrorText()
  return useMutation({
    scope: { id: 'new posts' },
    mutationFn: call,
    onSuccess: (choices, change) => {
      client.setQueryData(queryKey, choices)
      showToast(saved(change), { key: 'new posts' })
    },
    onError: (error) => {
      showToast(explain(error), { kind: 'error' })
      void client.invalidateQueries({ queryKey })
    },
  })
}
