-- SPDX-License-Identifier: MIT
-- sorts, strings, tables, closures: enough different code that layout matters
local function sort(n) local t, x = {}, 12345 for i = 1, n do x = (x * 1103515245 + 12345) % 2147483648 t[i] = x end table.sort(t) return t[1] end
local function words(n) local c = {} for i = 1, n do local w = ("w%d"):format(i % 97) c[w] = (c[w] or 0) + #w end local s = 0 for k, v in pairs(c) do s = s + v end return s end
local function text(n) local s = 0 for i = 1, n do local a = ("the quick brown fox %d"):format(i):gsub("%w+", string.upper) s = s + #a if a:find("FOX 1") then s = s + 1 end end return s end
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local function sieve(n) local p, k = {}, 0 for i = 2, n do if not p[i] then k = k + 1 for j = i * i, n, i do p[j] = true end end end return k end
print(sort(4000), words(6000), text(1200), fib(17), sieve(8000))
