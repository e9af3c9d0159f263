import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { postChannels } from '#features/posts/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import * as realtime from '#web/realtime.ts'
import { showToast } from '#web/ui/Toasts.tsx'
import { type Rota, rotaEndpoints } from '../contract.ts'
import type { RotaEvents } from '../schemas.ts'
import { rotaText } from './text.ts'

/** In ms: all who look at the event ask again, but not at the same moment. */
const MAX_JITTER = 1000

const keyOf = (date: number) => [rotaEndpoints.list.path, date]

export function useRota(date: number) {
  const client = useQueryClient()
  const queryKey = keyOf(date)
  const reload = () => void client.invalidateQueries({ queryKey })
  realtime.useListener(postChannels.posts.name, {
    onSubscribed: reload,
    events: {
      RotaChanged: ({ date_id }: RotaEvents['RotaChanged']) => {
        if (date_id === date) setTimeout(reload, Math.random() * MAX_JITTER)
      },
      // It was cancelled, moved or is open again.
      EventChanged: ({ date: changed }: { date: { id: number } }) => {
        if (changed.id === date) setTimeout(reload, Math.random() * MAX_JITTER)
      },
    },
  })
  return useQuery({ queryKey, queryFn: () => callEndpoint(rotaEndpoints.list, { id: date }), staleTime: 0 })
}

/** Changes answer with all jobs of the date. */
export function useChange(date: number) {
  const client = useQueryClient()
  const t = useText(rotaText)
  const explain = useErrorText()
  return useMutation({
    mutationFn: (send: () => Promise<Rota>) => send(),
    onSuccess: (rota) => client.setQueryData(keyOf(date), rota),
    onError: (error) => {
      if (hasStatus(error, 401)) return showLogInToast()
      showToast(t.failed + explain(error), { key: `rota ${date}`, kind: 'error' })
      void client.invalidateQueries({ queryKey: keyOf(date) })
    },
  })
}

export const useSetRota = (date: number) => {
  const client = useQueryClient()
  return (rota: Rota) => client.setQueryData(keyOf(date), rota)
}
