import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useStore } from '#web/store.ts'
import { rollCallEndpoints } from '../contract.ts'
import { outbox, start } from './outbox.ts'

export const detailsKey = (id: number) => [rollCallEndpoints.show.path, id]
export const listKey = [rollCallEndpoints.list.path]

export const useDetails = (id: number) =>
  useQuery({ queryKey: detailsKey(id), queryFn: () => callEndpoint(rollCallEndpoints.show, { id }) })

/** The answers that wait. Loads everything again when one was sent. */
export function useOutbox(me: number) {
  const client = useQueryClient()
  const waiting = useStore(outbox)
  const known = useRef(waiting.length)
  useEffect(() => start(me), [me])
  useEffect(() => {
    if (waiting.length < known.current) {
      void client.invalidateQueries({ queryKey: [rollCallEndpoints.show.path] })
      void client.invalidateQueries({ queryKey: listKey })
    }
    known.current = waiting.length
  }, [client, waiting.length])
  return waiting
}
