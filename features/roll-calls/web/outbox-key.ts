/** For the answers that wait in local storage. */
export const outboxKey = (me: number) => `engawa:outbox:${me}:roll-calls`
