import { afterAll } from 'vitest'
import { stopAllTestServers } from './server.ts'

// Vitest runs this file before each test file.
afterAll(stopAllTestServers)
